import type { TInteger } from 'typebox';
import {
  anonymousRatePerMinute,
  pageRatePerMinute,
  ratePerMinute,
  siteRatePerMinute,
} from '../../kernel/call/rate-limit-settings.ts';
import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import { disabledAddons, disabledEndpoints } from '../../kernel/declare/switches.ts';
import { countOf } from '../../shared/count-of.ts';

function rateEffect(setting: SettingDefinition<TInteger>, who: string) {
  return defineEffect(setting, ({ before, after }) => ({
    text:
      after < before
        ? `${who} may send ${after} requests per minute instead of ${before}; what is above is refused with 429.`
        : `${who} may send ${after} requests per minute instead of ${before}.`,
  }));
}

const addonEffect = defineEffect(disabledAddons, ({ before, after }) => {
  const off = after.filter((name) => !before.includes(name));
  const on = before.filter((name) => !after.includes(name));
  const sentences = [
    ...(off.length > 0
      ? [
          `${off.join(', ')}: off for the team, for affiliates and for programs that use the API; the data stays.`,
        ]
      : []),
    ...(on.length > 0 ? [`${on.join(', ')}: available again, with the data from before.`] : []),
  ];
  return sentences.length > 0 ? { text: sentences.join(' ') } : undefined;
});

const endpointEffect = defineEffect(disabledEndpoints, ({ before, after }) => {
  const off = after.filter((name) => !before.includes(name));
  if (off.length === 0) return undefined;
  const own = off.some((name) => name.startsWith('store:') && name.includes('settings'));
  const text = `${countOf(off.length, 'more operation')} will answer like an unknown path.`;
  return {
    count: off.length,
    text: own
      ? `${text} Without the operations for settings, only the command line can switch them on again.`
      : text,
  };
});

export const kernelEffects = [
  rateEffect(ratePerMinute, 'Each API key and each signed-in user'),
  rateEffect(pageRatePerMinute, 'The pages of each session'),
  rateEffect(anonymousRatePerMinute, 'All callers without credentials together'),
  rateEffect(siteRatePerMinute, 'Each network'),
  addonEffect,
  endpointEffect,
];
