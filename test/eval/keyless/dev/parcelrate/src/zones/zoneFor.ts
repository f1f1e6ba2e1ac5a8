import table from '../../data/zones.json' with { type: 'json' };

/**
 * Zone between two postcodes. Unknown pairs get the fallback zone (dear on purpose: nobody complains about a
 * parcel that turned out cheaper).
 */
export function zoneFor(from: Address, to: Address): number {
  return table[`${from.country}${from.postcode.slice(0, 2)}`]?.[to.country] ?? 7;
}
