export { changeSettings } from './change-settings.ts';
export { storeSettings } from './store-settings.ts';
export { loadSettings, saveSetting, storedSetting } from './setting-rows.ts';
