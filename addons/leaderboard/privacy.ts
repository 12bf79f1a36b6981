import { rowsOfUser, type PersonErasure } from '../../src/modules/privacy/index.ts';
import { withdraw } from './name-rows.ts';

export const agreementOfPerson = rowsOfUser('leaderboard', ['agreed_at'], (db, userId) =>
  db.selectFrom('leaderboard_names').select('agreed_at').where('user_id', '=', userId),
);

export const eraseAgreement: PersonErasure = {
  async erase(tx, { user }) {
    await withdraw(tx, { user_id: user.id });
  },
};
