import Type from 'typebox';
import { checkSeries, seriesOf, seriesParameters } from '../../../kernel/call/series.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../affiliates/index.ts';
import { listClickDays } from '../../clicks/index.ts';
import { listFormerUserDays, listUserDays } from './series-rows.ts';
import { SeriesSchema, toSeries } from './series-wire.ts';

export const getAffiliateSeries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/stats/series',
  summary: "The figures of all an affiliate's coupons by day, week or month",
  description:
    'For admins and the affiliate itself. The sums of the points are those of `GET /affiliates/{id}/stats` for the ' +
    'same range.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({ ...seriesParameters }),
  response: SeriesSchema,
  errors: [generalErrors.notFound],
  check: checkSeries,
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    await requireOwnAffiliate(db, caller, id);
    const series = seriesOf(input, site, nowMs);
    const { from, to } = series;
    const [days, former, clickDays] = await Promise.all([
      listUserDays(db, { user_id: id, ...series }),
      listFormerUserDays(db, { user_id: id, ...series }),
      listClickDays(db, { user_id: id, from, to }),
    ]);
    return toSeries(series, [...days, ...former], clickDays, site);
  },
});
