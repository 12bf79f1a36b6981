/** The languages of mails, public pages and the portal. English comes first: it is the default. */
export const languages = ['en', 'de', 'es', 'fr', 'pt'] as const;
export type Language = (typeof languages)[number];
