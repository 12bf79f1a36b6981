import type { FunctionComponent } from 'preact';
import { hasAddon } from '../addons.ts';
import { lazyScreen, type LazyScreen } from '../frame/lazy-screen.tsx';
import { loadScreenWords } from '../words.ts';
import { addonScreens } from './addon-parts.ts';
import { extensionScreens } from './extension-screens.ts';
import { ownScreens } from './own-screens.ts';
import type { ConsoleScreenName, ScreenDeclaration } from './console-screen.ts';

type Lazy = 'list' | 'detail' | 'edit';

export interface ConsoleScreen extends Omit<ScreenDeclaration, Lazy> {
  readonly path: string;
  /** The screen of the navigation that it is a tab of; its own name if it is there itself. */
  readonly lead: ConsoleScreenName;
  readonly list: LazyScreen;
  readonly detail: LazyScreen | undefined;
  readonly edit: LazyScreen | undefined;
}

/** Loads the texts of a screen first: the columns of its tables read them while they are evaluated. */
function afterTexts(name: string, load: () => Promise<FunctionComponent>): LazyScreen {
  return lazyScreen(async () => {
    await loadScreenWords(name);
    return load();
  });
}

const active = [
  ...ownScreens.filter(({ addon }) => addon === undefined || hasAddon(addon)),
  ...addonScreens,
  ...extensionScreens,
].toSorted((a, b) => a.position - b.position);

/** Every screen of the console that this installation has, in the order of the navigation. */
export const screens: readonly ConsoleScreen[] = active.map((screen) => {
  const { name, section, list, detail, edit } = screen;
  const lead = section === undefined ? screen : active.find((one) => one.section === section)!;
  return {
    ...screen,
    path: name === 'overview' ? '/console' : `/console/${name}`,
    lead: lead.name,
    list: afterTexts(name, list),
    detail: detail && afterTexts(`${name}/detail`, detail),
    edit: edit && afterTexts(`${name}/detail`, edit),
  };
});
