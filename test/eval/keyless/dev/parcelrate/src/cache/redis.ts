/** Keys are `pr:3:<sha1 of the shipment>`; the 3 is the format, raise it whenever Offer changes. */
export function redisCache(url: string, ttlMs: number): Cache {
  return { get: (key) => redis.get(`pr:3:${key}`), set: (key, value) => redis.set(`pr:3:${key}`, value, 'PX', ttlMs) };
}
