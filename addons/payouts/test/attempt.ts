import type { Gateway, GatewayOutcome, GatewayPayout } from '../extension.ts';

/** Prepares and pays, as the service does. */
export async function attempt(gateway: Gateway, payout: GatewayPayout): Promise<GatewayOutcome> {
  const ready = gateway.prepare ? await gateway.prepare(payout) : { status: 'ready' as const };
  return ready.status === 'ready' ? gateway.pay(payout, ready.prepared) : ready;
}

/** A gateway whose `pay` prepares too. */
export function whole(gateway: Gateway): Gateway {
  return { ...gateway, pay: (payout) => attempt(gateway, payout) };
}
