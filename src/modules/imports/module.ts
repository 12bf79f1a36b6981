import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { personalData, personErasures } from '../privacy/index.ts';
import { importFiles, importRefused } from './import-files.ts';
import { listHistory } from './list-history.ts';
import { listImports } from './list-imports.ts';
import { migrations } from './migrations.ts';
import { eraseImportedIds, importsOfPerson } from './personal-data.ts';
import { carryOutUndos } from './undo/undo-import.ts';
import { requestUndo } from './undo/request-undo.ts';

export const importsModule = defineModule({
  name: 'imports',
  summary: 'Imports from other systems: what they created, and the history they brought',
  addon: false,
  operations: [listImports, importFiles, requestUndo, listHistory],
  jobs: [carryOutUndos],
  contributions: [
    contribute(personalData, importsOfPerson),
    contribute(personErasures, eraseImportedIds),
  ],
  errors: [importRefused],
  migrations,
});
