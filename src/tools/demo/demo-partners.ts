import type { Flags } from '../../cli/with-site.ts';
import { addons } from '../../edition-pro.ts';
import type { Addon } from '../../kernel/declare/addon.ts';
import type { DemoPart } from '../../kernel/declare/demo.ts';

/** The add-ons' parts of a demo, with the servers on this machine that replace real services. */
export interface DemoPartners {
  /** Overrides the environment, so that a demo never reaches a real gateway or mail server. */
  readonly config: Flags;
  readonly parts: readonly DemoPart[];
  close(): Promise<void>;
}

export async function openDemoPartners(): Promise<DemoPartners> {
  const parts = await Promise.all(addons.flatMap((addon: Addon) => addon.openDemo?.() ?? []));
  return {
    config: Object.assign({ smtpUrl: '' }, ...parts.map(({ config }) => config)) as Flags,
    parts,
    async close() {
      for (const part of parts) await part.close?.();
    },
  };
}
