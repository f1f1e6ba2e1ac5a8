/** SOAP. Authentication is a session that lives 20 minutes; `login` is called again on fault code 4017. */
export const dolomiti: Carrier = {
  name: 'dolomiti',
  async offer({ zone, parcels }) {
    const session = await sessions.get('dolomiti', () => login(secrets.dolomiti));
    return parse(await call('GetTariff', { session, zone, colli: parcels.length, kg: total(parcels) }));
  },
};
