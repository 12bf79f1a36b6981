import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { brandAccent } from './brand-settings.ts';
import { toAccent, type Brand } from './brand-wire.ts';

type Theme = NonNullable<Brand['accent']>['light'];

/** Says what the colour becomes, and how well it can be read. */
export const accentEffect = defineEffect(brandAccent, ({ after }) => {
  if (after === '') return { text: 'Pages and emails have the built-in colour again.' };
  const { light, dark } = toAccent(after);
  return { text: `${describe('light', light)} ${describe('dark', dark)}` };
});

function describe(theme: 'light' | 'dark', { color, ratio, asked_ratio, adjusted }: Theme): string {
  if (!adjusted) return `In ${theme} mode its contrast is ${ratio}:1.`;
  const how = theme === 'light' ? 'darkened' : 'lightened';
  return `In ${theme} mode it is ${how} to ${color}, because its contrast would be ${asked_ratio}:1; with that it is ${ratio}:1.`;
}
