export { personErasures, type PersonErasure } from './erasure.ts';
export { personalData, type PersonalData } from './personal-data.ts';
