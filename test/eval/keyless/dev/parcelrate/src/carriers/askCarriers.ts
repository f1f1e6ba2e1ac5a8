/**
 * Asks all carriers in parallel. What has not answered at the deadline is left out, not an error.
 * A carrier with 5 failures in a row is left alone for 90 seconds (circuit breaker).
 */
export async function askCarriers(config: Config, shipment: Shipment, { deadlineMs }: { deadlineMs: number }): Promise<Offer[]> {
  const asked = carriers.filter(({ name }) => !breakers.get(name)?.isOpen()).map((carrier) => withDeadline(carrier.offer(shipment), deadlineMs));
  return (await Promise.allSettled(asked)).flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

export class Breaker {
  static readonly threshold = 5;
  static readonly coolDownMs = 90_000;
  isOpen(): boolean {
    return this.failures >= Breaker.threshold && Date.now() - this.lastFailure < Breaker.coolDownMs;
  }
}
