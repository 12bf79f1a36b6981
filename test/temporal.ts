import { Temporal as polyfill } from 'temporal-polyfill';

/** The platform's own where it has one. */
export const Temporal = globalThis.Temporal ?? polyfill;
