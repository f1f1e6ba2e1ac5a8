/** REST, one call for all parcels. Prices come in cents and without VAT. */
export const blauwpost: Carrier = {
  name: 'blauwpost',
  async offer({ zone, parcels }) {
    const answer = await client.post('/v1/price', { zone, items: parcels.map(toItem) });
    return answer.services.map((service) => ({ carrier: 'blauwpost', service: service.code, price: (service.cents / 100) * 1.21 }));
  },
};
