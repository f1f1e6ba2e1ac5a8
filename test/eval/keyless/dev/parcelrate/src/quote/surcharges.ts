/** Everything that comes on top of the base price, in euro. */
export function surcharges(offer: Offer, { to, parcels, options }: QuoteRequest): number {
  let sum = 0;
  // islands: only Blauwpost takes it, 11.90 a parcel
  if (offer.carrier === 'blauwpost' && isIsland(to.postcode)) sum += 11.9 * parcels.length;
  if (options.includes('saturday')) sum += 7.5;
  if (options.includes('signature')) sum += 1.2;
  // Over 31.5 kg two people have to carry.
  sum += parcels.filter(({ weight }) => weight > 31.5).length * 24;
  return sum;
}

/** Lithium batteries travel by road only; air offers are dropped before this is called. */
export function forbidsAir(parcel: Parcel): boolean {
  return parcel.contents.includes('lithium');
}
