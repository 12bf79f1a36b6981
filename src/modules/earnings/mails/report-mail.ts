import Type from 'typebox';
import { StringEnum } from '../../../kernel/declare/schemas.ts';
import { defineManagerSetting } from '../../../kernel/declare/setting.ts';
import { defineMail, type Notice } from '../../mail/index.ts';
import { reportIntervals } from './report-period.ts';

export const reportMails = defineManagerSetting(
  'mail.report',
  StringEnum(['off', ...reportIntervals]),
  'off',
  'Affiliates get an email with the figures of their statement when a week, a month or a quarter is over.',
);

export const emptyReports = defineManagerSetting(
  'mail.report_empty',
  Type.Boolean(),
  false,
  'The report also goes to affiliates for whom nothing has changed in that time.',
);

export const reportNotice: Notice = {
  name: 'report',
  description: 'The figures of a week, a month or a quarter.',
  audience: 'everyone',
};

const Amount = (description: string) =>
  Type.String({ description: `${description}, with its currency, as people write it.` });

export const reportMail = defineMail(
  'report',
  Type.Object({
    name: Type.String(),
    from: Type.String({ description: 'The first day.' }),
    to: Type.String({ description: 'The last day.' }),
    opening: Amount('The balance before the first day'),
    earned: Amount('Commission, less what was taken back'),
    other: Amount('Bonuses and adjustments'),
    paid: Amount('What was paid out, less what was returned'),
    closing: Amount('The balance after the last day'),
    first_day: Type.String({ description: 'The first day, as in `2026-03-01`.' }),
    last_day: Type.String({ description: 'The last day, as in `2026-03-31`.' }),
  }),
  {
    notice: reportNotice,
    about:
      'To the affiliate, when a week, a month or a quarter is over, with the figures of the statement.',
  },
);
