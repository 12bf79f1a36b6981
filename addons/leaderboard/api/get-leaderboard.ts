import Type from 'typebox';
import { isAdmin } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { CurrencyCode, Day, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { requireAffiliate } from '../../../src/modules/affiliates/index.ts';
import { findAgreement, namesOf } from '../name-rows.ts';
import { leaderboardEnabled, othersShown, ranking, rankings } from '../settings.ts';
import { daysOf, readStandings, type Standing } from '../standings.ts';

const place = Type.Integer({ description: 'From 1; equal figures have the same place.' });
const aboutFigure = 'Sales, or the number of orders, as `by` says.';
const figure = Type.Number({ description: aboutFigure });

const LeaderboardSchema = Type.Object(
  {
    from: Day('The first day that counts.'),
    to: Day('The last day that counts: today.'),
    by: StringEnum(rankings, { description: 'What the places are decided by.' }),
    currency: CurrencyCode,
    places: Type.Array(
      Type.Object({
        place,
        name: Nullable(
          Type.String({ description: 'Null if the affiliate has not agreed to be named.' }),
        ),
        figure: Nullable(
          Type.Number({
            description: `${aboutFigure} Null if the affiliate has not agreed to be named.`,
          }),
        ),
        own: Type.Boolean({ description: "Whether it is the caller's place." }),
      }),
      { description: 'The best first.' },
    ),
    own: Type.Object(
      {
        place: Nullable(place),
        figure,
        named: Type.Boolean({ description: 'Whether the caller agreed to be named.' }),
      },
      { description: "The caller's own place; its place is null without orders in the period." },
    ),
  },
  {
    $id: 'Leaderboard',
    examples: [
      {
        from: '2026-11-01',
        to: '2026-11-21',
        by: 'sales',
        currency: 'USD',
        places: [
          { place: 1, name: 'Maya Ortiz', figure: 2_140.5, own: true },
          { place: 2, name: null, figure: null, own: false },
        ],
        own: { place: 1, figure: 2_140.5, named: true },
      },
    ],
  },
);

export const getLeaderboard = operation({
  method: 'GET',
  namespace: 'store',
  path: '/leaderboard',
  summary: 'The leaderboard of affiliates',
  description:
    'The best of the period that the settings name, up to five minutes old. Others have a name and a figure only if ' +
    'they agreed to be named; a caller always sees its own place. 404 while the leaderboard is off, and for people who are not affiliates.',
  access: 'user',
  scope: 'read',
  long: true,
  response: LeaderboardSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }) {
    const { settings, currency } = site;
    if (!settings.get(leaderboardEnabled)) throw new ApiError(generalErrors.notFound);
    const me = caller.person?.id ?? 0;
    // Names are for the program, not for everyone with an account.
    if (!isAdmin(caller)) await requireAffiliate(db, me);
    const days = daysOf(site, nowMs);
    const by = settings.get(ranking);
    const { top, byUser } = await readStandings(db, site, days, nowMs);
    const names = await namesOf(
      db,
      top.map(({ user_id }) => user_id),
    );
    const nameOf = new Map(names.map(({ user_id, name }) => [user_id, name]));
    const isLeftOut = settings.get(othersShown) === 'left_out';
    const figureOf = (one: Standing) =>
      by === 'sales' ? currency.toMajor(one.figure) : one.figure;
    const own = byUser.get(me);
    return {
      ...days,
      by,
      currency: currency.code,
      places: top
        .filter(({ user_id }) => !isLeftOut || user_id === me || nameOf.has(user_id))
        .map((one) => ({
          place: one.place,
          name: nameOf.get(one.user_id) ?? null,
          figure: one.user_id === me || nameOf.has(one.user_id) ? figureOf(one) : null,
          own: one.user_id === me,
        })),
      own: {
        place: own?.place ?? null,
        figure: own ? figureOf(own) : 0,
        named: (await findAgreement(db, { user_id: me })) !== undefined,
      },
    };
  },
});
