export { appShell, signInFirst } from './app-shell.ts';
export { hasScreen, shownScreens } from './extension-screens.ts';
export { languageOf } from './page-language.ts';
export { renderPage, renderPageOnce } from './render-page.ts';
export { entryOf, readBuilt, scriptOf } from './web-build.ts';
