/**
 * What a site may call its affiliates. `program.json` has the forms that `{affiliate}` and `{affiliates}` become. Texts
 * are written so that no article or ending depends on them: "the {affiliate} program", "das {affiliate}-Programm",
 * "programa de {affiliates}", "programme {affiliate}".
 */
export const affiliateWords = ['affiliate', 'partner', 'ambassador', 'creator'] as const;
export type AffiliateWord = (typeof affiliateWords)[number];
