/** JSON over HTTP. Their sandbox answers with yesterday's prices, so tests run against a recording. */
export const swiftlet: Carrier = {
  name: 'swiftlet',
  async offer({ zone, parcels }) {
    // One request a parcel, since their bulk call ignores the third parcel (ticket SW-2291, open since 2022).
    const answers = await Promise.all(parcels.map((parcel) => client.get(`/rate?z=${zone}&kg=${parcel.billable}`)));
    return [{ carrier: 'swiftlet', service: 'day', price: answers.reduce((sum, { eur }) => sum + eur, 0) }];
  },
};
