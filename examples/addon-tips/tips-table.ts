import type { Generated, Migration } from 'tributary-affiliates/extension';

export interface TipsTable {
  id: Generated<number>;
  user_id: number;
  note: string;
  created_at: number;
}

declare module 'tributary-affiliates/extension' {
  interface Tables {
    tips: TipsTable;
  }
}

export const migrations: readonly Migration[] = [
  {
    name: 'tips/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('tips')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('note', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema.createIndex('tips_by_user').on('tips').column('user_id'),
    ],
  },
];
