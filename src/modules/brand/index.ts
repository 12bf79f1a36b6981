export { mailAccent, pageBrand, programPictureOf } from './brand-style.ts';
