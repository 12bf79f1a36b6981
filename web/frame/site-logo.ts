import { signal } from '@preact/signals';

/** The path of the store's logo, which the page of the app names; undefined without one. */
export const siteLogo = signal(document.getElementById('app')?.dataset['logo'] || undefined);
