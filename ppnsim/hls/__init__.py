"""Loop-nest scheduling: operators of a device, data flow of bodies, modulo schedules, state machines, resources."""
