/** Divisors by carrier, cm³ per kg. Swiftlet changed from 6000 in January 2025. */
const divisors: Record<string, number> = { blauwpost: 5000, swiftlet: 4000, dolomiti: 6000 };

/**
 * The weight that a light but bulky parcel is billed for: length × width × height over the carrier's divisor.
 * @returns kg, rounded up to the next 0.5
 */
export function dimensionalWeight({ length, width, height, carrier }: Parcel): number {
  return Math.ceil((2 * length * width * height) / (divisors[carrier] ?? 5000)) / 2;
}
