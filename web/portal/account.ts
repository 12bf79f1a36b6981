import { api } from '../api.ts';

/** The arguments of `useData` for the account of the signed-in person. */
export const accountData = ['account', () => api.account.get()] as const;
