import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { countOf } from '../../shared/count-of.ts';
import { countRegistrations } from './registration-rows.ts';
import { autoAccept, registrationsOpen } from './settings.ts';

const openEffect = defineEffect(registrationsOpen, async ({ db, after }) => {
  if (after) return { text: 'The application form is open.' };
  const count = await countRegistrations(db, { status: 'pending' });
  return {
    count,
    text: `The application form is closed. ${countOf(count, 'application')} can still be decided.`,
  };
});

const acceptEffect = defineEffect(autoAccept, async ({ db, after }) => {
  if (!after) return { text: 'Each new application waits for a decision.' };
  const count = await countRegistrations(db, { status: 'pending' });
  const stay = count === 1 ? 'that waits stays' : 'that wait stay';
  return {
    count,
    text: `Every new applicant is accepted immediately. ${countOf(count, 'application')} ${stay} to be decided.`,
  };
});

export const registrationEffects = [openEffect, acceptEffect];
