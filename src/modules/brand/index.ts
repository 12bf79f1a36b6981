export { mailAccent, pageBrand } from './brand-style.ts';
