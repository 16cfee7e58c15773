// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* An enumeration by value, a reference, reflect and drop. and: one.and */
#include <netcl.hpp>

enum class op { plus, minus, both, either, one, low };

_kernel(1) void calculate(op what, uint32_t a, uint32_t b, uint32_t &result)
{
	switch (what) {
	case op::plus:
		result = a + b;
		break;
	case op::minus:
		result = a - b;
		break;
	case op::both:
		result = a & b;
		break;
	case op::either:
		result = a | b;
		break;
	case op::one:
		result = a ^ b;
		break;
	case op::low:
		result = a < b ? a : b;
		break;
	default:
		return _drop();
	}
	_reflect();
}
