export { changeSettings } from './change-settings.ts';
export { getSettings } from './get-settings.ts';
export { loadSettings } from './setting-store.ts';
