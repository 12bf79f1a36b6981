export { mailAccent, pageBrand, type PageBrand } from './brand-style.ts';
