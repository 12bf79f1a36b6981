import type { SettingGroup } from './setting.ts';

/** The groups that settings of several modules share. An add-on or extension may declare its own. */
export const storeGroup: SettingGroup = { name: 'store', title: 'Store', position: 10 };
export const brandGroup: SettingGroup = { name: 'brand', title: 'Brand', position: 20 };
export const programGroup: SettingGroup = { name: 'program', title: 'Program page', position: 30 };
export const applicationsGroup: SettingGroup = {
  name: 'applications',
  title: 'Applications',
  position: 40,
};
export const commissionGroup: SettingGroup = {
  name: 'commission',
  title: 'Commission',
  position: 50,
};
export const attributionGroup: SettingGroup = {
  name: 'attribution',
  title: 'Links and attribution',
  position: 60,
};
export const accountsGroup: SettingGroup = {
  name: 'accounts',
  title: 'Accounts and sign-in',
  position: 100,
};
export const apiGroup: SettingGroup = { name: 'api', title: 'API and limits', position: 110 };
export const pagesGroup: SettingGroup = {
  name: 'pages',
  title: 'Pages and add-ons',
  position: 130,
};

/** Of settings that declare none, such as those of an extension. */
export const otherGroup: SettingGroup = { name: 'other', title: 'Other settings', position: 1000 };
