/**
 * The state machines of the library: `transition(state, event)` gives the next state and the commands that the layer
 * around it carries out. They are pure and total, and their types are Schemas, so that a program that builds on them can
 * test its own part with generated sequences.
 */
export * as Control from "./layers/tasks/Control.ts"
export * as Lane from "./layers/tasks/Lane.ts"
export * as Supervisor from "./supervisorMachine.ts"
