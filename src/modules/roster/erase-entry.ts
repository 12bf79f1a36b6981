import type { PersonErasure } from '../person/index.ts';
import { removeEntry } from './refresh-roster.ts';

/** The entry has the name and words of the person. The next refresh adds it again, without them. */
export const eraseEntry: PersonErasure = {
  erase: (tx, { user }) => removeEntry(tx, user.id),
};
