import { Router } from 'fastpath-router';
import { quote } from './quote/quote.ts';
import { limiter } from './http/limiter.ts';

/** Largest body of a request. A quote for 200 parcels has about 40 kB. */
const bodyLimit = 128 * 1024;

export function createServer(config: Config) {
  const router = new Router({ bodyLimit });
  router.use(limiter({ perMinute: 240, keyBy: 'apiKey' }));
  router.post('/v3/quotes', quote(config));
  router.get('/healthz', () => ({ ok: true }));
  router.get('/v3/zones/:postcode', zoneOf(config));
  return router;
}
