import type { Site } from '../../kernel/declare/site.ts';
import { methodsOf } from './gateways/methods.ts';
import { enabledMethods, payoutsEnabled, threshold } from './settings.ts';

/** What the program page says about being paid. */
export function payoutTermsOf(site: Site) {
  const { settings } = site;
  if (!settings.get(payoutsEnabled)) return undefined;
  const enabled = settings.get(enabledMethods);
  return {
    minimum: settings.get(threshold),
    methods: methodsOf(site)
      .filter(({ type }) => enabled.includes(type))
      .map(({ type, label }) => ({ type, label })),
  };
}
