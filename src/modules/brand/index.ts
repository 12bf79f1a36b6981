export { mailAccent, pageBrand, programPictureOf } from './brand-style.ts';
export { currentLogo } from './get-brand-file.ts';
