/** The machine of dialogs and frames, with the schemas of what goes in and comes out. */
export { initialState as initial, transition, type Transition } from "./layers/supervisor/SupervisorState.ts"
export { DialogRules as Rules, SupervisorState as State } from "./schemas/supervisor.ts"
export { SupervisorCommand as Command } from "./schemas/supervisorCommand.ts"
export { SupervisorEvent as Event } from "./schemas/supervisorEvent.ts"
