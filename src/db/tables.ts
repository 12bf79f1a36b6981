/**
 * The schema that statements are typed with. A module adds its tables in its own `tables.ts`
 * (`declare module`), and lists them in its manifest. Types are those that both databases share:
 * instants are epoch milliseconds, flags are 0 or 1, JSON is text.
 */
export interface Tables {
  migrations: { name: string; applied_at: number };
  installation: { name: string; value: string };
  leases: { name: string; holder: string; until: number };
}

/**
 * Tables that belong to no module. They describe one database, so they are not copied into another one.
 *
 * @internal Exported for its test.
 */
export const ownTables: readonly (keyof Tables)[] = ['migrations', 'installation', 'leases'];

/** A table of a module. Tables are copied in the order of the list: a referenced table comes first. */
export type TableDefinition = {
  [Name in keyof Tables]: {
    readonly name: Name;
    /** The columns of the primary key. */
    readonly key: readonly (keyof Tables[Name] & string)[];
  };
}[keyof Tables];
