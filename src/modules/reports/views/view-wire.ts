import Type from 'typebox';
import type { ViewRow } from './view-rows.ts';

export const VIEWS_MAX = 20;

export const viewFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: '\\S',
    description: 'The name that the person gave it.',
  }),
  query: Type.String({
    maxLength: 300,
    pattern: '^[A-Za-z0-9_=&%.,+-]*$',
    description: 'The query of the address /console/reports: what is shown, and how.',
    examples: ['by=coupon&days=90&sort=-sales'],
  }),
};

export const ViewSchema = Type.Object(
  { id: Type.Integer({ description: 'The number of the view.' }), ...viewFields },
  { $id: 'ReportView' },
);

export const toView = ({ id, name, query }: ViewRow) => ({ id, name, query });
