import type { ShownScreen } from '../../src/web-contract/extension-screens.ts';
import { AddOnsIcon } from '../ui/icons.tsx';
import { addWords, currentLanguage } from '../words.ts';
import type { ConsoleScreenName, ScreenDeclaration } from './console-screen.ts';

const { screens = '[]' } = document.getElementById('app')!.dataset;
// Written by the service that serves this page.
const shown = JSON.parse(screens) as ShownScreen[];

/** Behind all others of its group. */
const POSITION = 1_000;

/** The screens that extensions add. */
export const extensionScreens: readonly ScreenDeclaration[] = shown.map(
  ({ name, script, group, role }) => ({
    // The service refuses names that a screen of ours has.
    name: name as ConsoleScreenName,
    Icon: AddOnsIcon,
    group,
    position: POSITION,
    ...(role && { role }),
    list: async () => (await import('./console-kit.tsx')).loadScreen(name, script),
  }),
);

/** Adds what the navigation calls them, in the reader's language. */
export function nameExtensionScreens(): void {
  const names = shown.map(
    ({ name, labels }) => [`nav.${name}`, labels[currentLanguage()] ?? labels.en] as const,
  );
  addWords({ console: Object.fromEntries(names) });
}
