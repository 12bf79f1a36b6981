export { personalData, type PersonalData } from './personal-data.ts';
