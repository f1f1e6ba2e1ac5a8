import { zoneFor } from '../zones/zoneFor.ts';
import { dimensionalWeight } from './dimensionalWeight.ts';
import { surcharges } from './surcharges.ts';
import { askCarriers } from '../carriers/askCarriers.ts';

/**
 * Quotes a shipment: asks all carriers at once and answers with those that came back within 3 seconds,
 * cheapest first. Fewer than one answer is a 503.
 */
export const quote = (config: Config) => async (request: QuoteRequest): Promise<QuoteResponse> => {
  const zone = zoneFor(request.from, request.to);
  const parcels = request.parcels.map((parcel) => ({ ...parcel, billable: Math.max(parcel.weight, dimensionalWeight(parcel)) }));
  const offers = await askCarriers(config, { zone, parcels }, { deadlineMs: 3000 });
  if (offers.length === 0) throw new HttpError(503, 'no carrier answered');
  return { offers: offers.map((offer) => ({ ...offer, total: roundTo(offer.price + surcharges(offer, request), config.rounding) })).sort(byTotal) };
};
