import fc from 'fast-check';

/**
 * The random inputs of property tests are the same in every run, so that a failure is always one of the change that is
 * tested. `TEST_SEED=2 npm test …` tries others.
 */
fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) });

export { fc };
