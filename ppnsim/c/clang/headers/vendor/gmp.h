/* Included before the vendor's types by old sources, whose compiler needs it there (UG902); nothing of it is hardware. */
#pragma once
