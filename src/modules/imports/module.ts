import { adding, creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { personalData, personErasures } from '../privacy/index.ts';
import { importFiles, importRefused } from './import-files.ts';
import { listHistory } from './list-history.ts';
import { listImports } from './list-imports.ts';
import { eraseImportedIds, importsOfPerson } from './personal-data.ts';
import { tables } from './tables.ts';
import { requestUndo } from './undo/request-undo.ts';
import { carryOutUndos } from './undo/undo-import.ts';

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
  migrations: [
    creating('imports/0001-baseline', tables),
    adding('imports/0002-after-0.7.0', tables),
  ],
});
