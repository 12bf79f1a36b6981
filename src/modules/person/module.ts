import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { coreSections } from './core-sections.ts';
import { getOwnExport } from './get-own-export.ts';
import { getPerson } from './get-person.ts';
import { personalData } from './personal-data.ts';

export const personModule = defineModule({
  name: 'person',
  summary: 'Everything that is stored about a person',
  addon: false,
  operations: [getOwnExport, getPerson],
  contributions: coreSections.map((section) => contribute(personalData, section)),
});
