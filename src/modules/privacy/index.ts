export { erasePerson } from './erase-person.ts';
export { personErasures, type PersonErasure } from './erasure.ts';
export { personalData, rowsOfUser, type PersonalData } from './personal-data.ts';
