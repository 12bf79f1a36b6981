export {
  createUser,
  DisplayName,
  invalidUser,
  newUserFields,
  noSuchUser,
  userExists,
} from './new-user.ts';
export {
  hashPassword,
  passwordsBusy,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  pretendToVerify,
  verifyPassword,
} from './password.ts';
export {
  findUser,
  findUserByName,
  foldDisplayName,
  hasAdministrator,
  listAdministrators,
  listTeam,
  markRosterDue,
  recipientOf,
  saveEmail,
  holdPassword,
  savePassword,
  saveProfile,
  toPerson,
  type UserRow,
} from './user-rows.ts';
export { anonymiseUser, isAnonymised } from './anonymise-user.ts';
export { requireUser } from './require-user.ts';
export { requireGoodPassword } from './password-rules.ts';
export { readPasswordFile } from './password-file.ts';
export { toUser, UserSchema } from './user-wire.ts';
