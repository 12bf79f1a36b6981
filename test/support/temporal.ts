import { Temporal as polyfill } from 'temporal-polyfill';

/** The implementation of the platform if it has one. */
export const Temporal = globalThis.Temporal ?? polyfill;
