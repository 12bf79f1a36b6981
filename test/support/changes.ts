import { invoke } from '../../src/kernel/call/invoke.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { addonFacts, type Change } from './addon-facts.ts';

/** Makes a change without a server. */
export async function invokeChange(site: Site, [name, values, json]: Change): Promise<void> {
  const [method, path] = name.split(' ');
  const operation = site.registry
    .activeOperations('store')
    .find((one) => one.method === method && one.path === path)!;
  await invoke(site, operation, { ...values, ...json });
}

type Send = (method: string, path: string, json: object) => Promise<unknown>;

/** Makes a change by a call; `send` takes paths below the store API. */
async function sendChange(send: Send, [name, values, json]: Change): Promise<void> {
  const [method = '', path = ''] = name.split(' ');
  await send(
    method,
    path.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key]!),
    json,
  );
}

/** What lets affiliates be paid to one account, which no add-on then finds suspicious. */
export const oneAccount: readonly Change[] = addonFacts.flatMap(({ allowsOneAccount }) =>
  allowsOneAccount ? [allowsOneAccount] : [],
);

export async function allowOneAccount(send: Send): Promise<void> {
  for (const change of oneAccount) await sendChange(send, change);
}
